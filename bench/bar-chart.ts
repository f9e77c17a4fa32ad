interface Bar {
  label: string;
  value: number;
  /** Whether it is the service, and not what the service is compared with. */
  isService: boolean;
}

export interface BarChart {
  title: string;
  unit: string;
  bars: Bar[];
}

const width = 900;
const labelWidth = 330;
const textWidth = 150;
const rowHeight = 30;
const barHeight = 18;
const titleHeight = 44;

/** The page is seen through the chart, and may be dark. */
const style = `<style>
text { fill: #1f2328; }
rect { fill: #9aa4b2; }
.service { fill: #0969da; }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc; }
  rect { fill: #656c76; }
  .service { fill: #4493f8; }
}
</style>`;

/** Returns an SVG with horizontal bars, the longest as wide as there is room. */
export const barChart = ({ title, unit, bars }: BarChart): string => {
  const height = titleHeight + bars.length * rowHeight + 10;
  const longest = Math.max(...bars.map(({ value }) => value));
  const rows = bars.flatMap(({ label, value, isService }, index) => {
    const top = titleHeight + index * rowHeight;
    const middle = top + barHeight / 2;
    const length = Math.round((value / longest) * (width - labelWidth - textWidth));
    const kind = isService ? ' class="service"' : '';
    const text = `y="${middle}" dominant-baseline="central"`;
    return [
      `<text x="${labelWidth - 10}" text-anchor="end" ${text}>${label}</text>`,
      `<rect x="${labelWidth}" y="${top}" width="${length}" height="${barHeight}"${kind}/>`,
      `<text x="${labelWidth + length + 8}" ${text}>${value} ${unit}</text>`,
    ];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="14">`,
    `<title>${title}</title>`,
    style,
    `<text x="10" y="24" font-size="16" font-weight="bold">${title}</text>`,
    ...rows,
    '</svg>\n',
  ].join('\n');
};
