import { commitOf } from './commit.ts';
import { serviceApp } from './service-app.ts';
import { stages } from './settings/stages.ts';

// Lambda reads the bundles as another user, who could not read files made under a umask such as
// 077.
process.umask(0o022);
serviceApp(stages, { commit: commitOf(process.cwd()) });
