/** A check, as `acceptance --json` prints it. */
export interface Check {
  check: string;
  outcome: string;
  /** How a service that failed the check differs from the contract. */
  message?: string;
}

interface Assertion {
  title: string;
  status: string;
  /** The service, and the groups that the check belongs to. */
  ancestorTitles: string[];
  failureMessages: string[];
}

interface Report {
  testResults: { assertionResults: Assertion[] }[];
}

/** Returns the checks in a report that Jest has written with --json. */
export const checksIn = (report: string): Check[] => {
  const { testResults }: Report = JSON.parse(report);
  return testResults.flatMap(({ assertionResults }) => assertionResults.map(checkOf));
};

const checkOf = ({ ancestorTitles, title, status, failureMessages }: Assertion): Check => {
  const [, ...groups] = ancestorTitles;
  const check = [...groups, title].join(' ');
  if (status === 'failed') {
    return { check, outcome: 'failed', message: failureMessages.join('\n') };
  }
  return { check, outcome: status === 'pending' ? 'skipped' : status };
};
