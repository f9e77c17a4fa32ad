import { pageLink } from '../../infra/settings/page-link.ts';

/** The pages of the documents to which commands refer, with their anchors. */
export const pages = {
  acceptance: pageLink('docs/deploy.md#first-deployment'),
  failedDeployment: pageLink('docs/deploy.md#when-a-deployment-fails'),
  keys: pageLink('docs/keys.md'),
  localRun: pageLink('docs/local-run.md'),
  permissions: pageLink('docs/reference.md#keys-and-stock'),
  release: pageLink('docs/deploy.md#release'),
  rollBack: pageLink('docs/runbook.md#roll-back'),
  stock: pageLink('docs/stock-and-recovery.md'),
} as const;
