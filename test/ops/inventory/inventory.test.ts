import { sessions } from '../../support/ops/sessions.ts';

sessions('inventory');
