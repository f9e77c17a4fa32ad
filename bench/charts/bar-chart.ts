/** One bar of a chart, with the text at its end. */
export interface ChartBar {
  label: string;
  value: number;
  text: string;
  /** Whether it is the service, and not what the service is compared with. */
  isService: boolean;
}

export interface BarChart {
  title: string;
  bars: ChartBar[];
}

const width = 900;
const labelWidth = 330;
const textWidth = 150;
const rowHeight = 30;
const barHeight = 18;
const titleHeight = 44;
const colors = { service: '#0969da', other: '#9aa4b2', text: '#1f2328', background: '#ffffff' };

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Returns an SVG with horizontal bars, the longest as wide as there is room. */
export const barChart = ({ title, bars }: BarChart): string => {
  const height = titleHeight + bars.length * rowHeight + 10;
  const longest = Math.max(...bars.map(({ value }) => value));
  const pixelsOf = (value: number): number =>
    Math.round((value / longest) * (width - labelWidth - textWidth));
  const rows = bars.flatMap(({ label, value, text, isService }, index) => {
    const top = titleHeight + index * rowHeight;
    const [length, middle] = [pixelsOf(value), top + barHeight / 2];
    const fill = isService ? colors.service : colors.other;
    const weight = isService ? ' font-weight="bold"' : '';
    const at = (x: number) => `x="${x}" y="${middle}" dominant-baseline="central"${weight}`;
    return [
      `<text ${at(labelWidth - 10)} text-anchor="end">${escaped(label)}</text>`,
      `<rect x="${labelWidth}" y="${top}" width="${length}" height="${barHeight}" fill="${fill}"/>`,
      `<text ${at(labelWidth + length + 8)}>${escaped(text)}</text>`,
    ];
  });
  const font = 'font-family="Helvetica, Arial, sans-serif" font-size="14"';
  const heading = `<text x="10" y="24" font-size="16" font-weight="bold">${escaped(title)}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" ${font}>`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="${colors.background}"/>`,
    `<g fill="${colors.text}">`,
    heading,
    ...rows,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
};
