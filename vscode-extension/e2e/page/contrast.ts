/** How well text stands out from what is behind it, as WCAG measures it. */
import type { Locator } from 'playwright-core';

export interface Contrast {
  text: string;
  part: 'label' | 'description';
  color: string;
  /** From 1 (the same) to 21 (black on white). */
  ratio: number;
}

/** Labels and descriptions of the rows in sight, of a list that is not selected. */
export function contrasts(list: Locator): Promise<Contrast[]> {
  return list.evaluate((element) => {
    type Rgba = [number, number, number, number];
    const parse = (color: string): Rgba => {
      const parts = (color.match(/[\d.]+%?/g) ?? []).map((part) => (part.endsWith('%') ? Number.parseFloat(part) / 100 : Number(part)));
      const scaled = color.startsWith('color(') ? parts.slice(0, 3).map((part) => part * 255) : parts.slice(0, 3);
      return [scaled[0] ?? 0, scaled[1] ?? 0, scaled[2] ?? 0, parts[3] ?? 1];
    };
    const over = (top: Rgba, below: Rgba): Rgba => [
      top[0] * top[3] + below[0] * (1 - top[3]),
      top[1] * top[3] + below[1] * (1 - top[3]),
      top[2] * top[3] + below[2] * (1 - top[3]),
      1,
    ];
    const behind = (node: Element | null): Rgba => {
      if (!node) return [255, 255, 255, 1];
      const own = parse(getComputedStyle(node).backgroundColor);
      return own[3] === 1 ? own : over(own, behind(node.parentElement));
    };
    const opacity = (node: Element | null): number => (node ? Number(getComputedStyle(node).opacity) * opacity(node.parentElement) : 1);
    const luminance = ([r, g, b]: Rgba): number => {
      const [x, y, z] = [r, g, b].map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * (x ?? 0) + 0.7152 * (y ?? 0) + 0.0722 * (z ?? 0);
    };
    const parts = [...element.querySelectorAll('.monaco-list-row:not(.selected):not(.focused) .label-name, .monaco-list-row:not(.selected):not(.focused) .label-description')];
    return parts
      .filter((part) => part.textContent)
      .map((part) => {
        const { color } = getComputedStyle(part);
        const background = behind(part);
        const own = parse(color);
        const seen = over([own[0], own[1], own[2], own[3] * opacity(part)], background);
        const [light, dark] = [luminance(seen), luminance(background)].sort((a, b) => b - a);
        return {
          text: part.textContent ?? '',
          part: part.classList.contains('label-name') ? ('label' as const) : ('description' as const),
          color,
          ratio: ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05),
        };
      });
  });
}
