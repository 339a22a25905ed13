import { clientMethods } from './client-methods.ts';
import { serve } from './remote.ts';

serve(clientMethods);
