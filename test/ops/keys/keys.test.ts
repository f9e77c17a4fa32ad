import { sessions } from '../../support/ops/sessions.ts';

sessions(import.meta.dirname);
