export function processesWith(name: string, value: string): number[];
export function killProcessesWith(name: string, value: string): number;
