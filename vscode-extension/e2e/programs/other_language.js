function add(left, right) {
  const total = left + right;
  return total; // # @bp in another language
}

console.log(`total ${add(1, 2)}`);
