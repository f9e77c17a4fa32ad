import { pageLink } from '../../infra/settings/page-link.ts';

/** The pages of the documents to which commands refer, with their anchors. */
export const pages = {
  acceptance: pageLink('docs/release.md#acceptance'),
  failedDeployment: pageLink('docs/failed-deployment.md#what-to-do'),
  keys: pageLink('docs/keys.md'),
  localRun: pageLink('docs/local-run.md'),
  permissions: pageLink('docs/permissions.md#keys-and-stock'),
  release: pageLink('docs/release.md#release-both-stages'),
  rollBack: pageLink('docs/roll-back.md'),
  stock: pageLink('docs/stock.md'),
} as const;
