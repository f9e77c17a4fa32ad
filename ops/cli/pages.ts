/** The pages of the documents to which commands refer, with their anchors. */
export const pages = {
  failedDeployment: 'docs/failed-deployment.md#what-to-do',
  firstDeployment: 'docs/first-deployment.md#the-commands',
  permissions: 'docs/permissions.md#keys-and-stock',
  permissionsToDeploy: 'docs/permissions.md#to-deploy',
  release: 'docs/release.md#release-both-stages',
  rollBack: 'docs/roll-back.md',
} as const;
