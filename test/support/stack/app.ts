import { serviceApp } from '../../../infra/service-app.ts';
import { prod, staging } from './stages.ts';

serviceApp({ staging, prod });
