import { serviceApp } from '../../../infra/service-app.ts';
import { delivered } from './stages.ts';

serviceApp(delivered);
