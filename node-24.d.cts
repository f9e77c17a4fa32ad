export function whenStarterEnds(callback: () => void): void;
