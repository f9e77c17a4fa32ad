import { CliError } from '../cli/cli-error.ts';
import { npxPetstore } from '../cli/command-line.ts';
import type { Terminal } from '../cli/terminal.ts';
import { reportOf, summaryOf } from './answers-in-words.ts';
import { type Answer, askService } from './ask-service.ts';
import { endOfUpdate } from './end-of-update.ts';
import { expectRightAnswers } from './expect-right-answers.ts';
import { type ServiceCheck, serviceChecks } from './service-checks.ts';
import { noAnswers, type WrongAnswer, watchService } from './watch-service.ts';

export interface WatchedDeploymentProps {
  service: {
    stageName: string;
    /** Ends in `/v1`. */
    baseUrl: string;
    apiKey: string;
  };
  /** Deploys until the signal is aborted. */
  deploy: (signal: AbortSignal) => Promise<void>;
  /**
   * Stops what CloudFormation does.
   * @param endDeploy ends `deploy`, and waits for its end
   */
  stop: (endDeploy: () => Promise<void>) => Promise<void>;
  /** Returns CloudFormation's status of the stack. */
  status: () => Promise<string>;
  /** The command that deploys without a watch. */
  unwatched: string;
  /** Milliseconds from one request of a check to its next. */
  every?: number;
}

/**
 * Deploys while the service is asked every five seconds whether it still works. Stops the
 * deployment, and throws a CliError, after two wrong answers in a row to the same check.
 */
export const watchedDeployment = async (
  terminal: Terminal,
  props: WatchedDeploymentProps,
): Promise<void> => {
  const { service, every = 5_000 } = props;
  const ask = (check: ServiceCheck, signal: AbortSignal): Promise<Answer> =>
    askService({ baseUrl: service.baseUrl, check, signal });
  const checks = serviceChecks(service);
  const { signal } = terminal;
  await expectRightAnswers({ ...service, checks, ask, every, unwatched: props.unwatched, signal });

  const [ended, endDeploy] = [new AbortController(), new AbortController()];
  const counts = noAnswers();
  const deploying = settled(props.deploy(endDeploy.signal)).finally(() => ended.abort());
  const wrong = await watchService({ checks, ask, every, signal: ended.signal, counts });
  if (wrong) {
    terminal.stderr.write(`${reportOf(service.baseUrl, wrong)}\nStopping the deployment.\n`);
    await props.stop(async () => {
      endDeploy.abort();
      await deploying;
    });
  }
  const failure = await deploying;
  terminal.stdout.write(`${summaryOf(counts)}\n`);
  if (wrong) {
    throw await stopped(wrong, props);
  }
  if (failure) {
    throw signal.aborted ? interrupted(service) : failure.error;
  }
};

/** Waits for the end of some work. Returns its error if it fails. */
const settled = async (work: Promise<void>): Promise<{ error: unknown } | undefined> => {
  try {
    await work;
    return undefined;
  } catch (error) {
    return { error };
  }
};

const interrupted = ({ stageName }: WatchedDeploymentProps['service']): CliError => {
  const message =
    'Interrupted. If CloudFormation had begun the deployment, it goes on, and nothing watches it.';
  return new CliError('interrupted', message, {
    hint: `See how far it is: ${npxPetstore} preflight --stage ${stageName}`,
  });
};

/** Returns the error for a deployment that was to be stopped. */
const stopped = async (wrong: WrongAnswer, props: WatchedDeploymentProps): Promise<CliError> => {
  const { service, status } = props;
  const end = endOfUpdate(await status().catch(() => ''));
  const message = `${service.stageName} answered wrongly twice in a row. ${end.message}`;
  return new CliError('failed', `${message}\n${reportOf(service.baseUrl, wrong)}`, {
    hint: end.hint,
  });
};
