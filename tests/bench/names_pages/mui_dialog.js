import * as m from '@mui/material';
import { h, show } from './react.js';

show(
  h('h1', null, 'Below'), h(m.Button, null, 'Covered'),
  h(m.Dialog, { open: true, 'aria-labelledby': 't' }, h(m.DialogTitle, { id: 't' }, 'Really?'), h(m.DialogContent, null, h(m.DialogContentText, null, 'All goes.'), h(m.TextField, { label: 'Reason' })), h(m.DialogActions, null, h(m.Button, null, 'No'), h(m.Button, null, 'Yes'))),
);
