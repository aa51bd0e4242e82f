import * as m from '@mui/material';
import { h, show } from './react.js';

show(
  h(m.AppBar, { position: 'static' }, h(m.Toolbar, null, h(m.IconButton, { 'aria-label': 'menu' }, '='), h(m.Typography, { variant: 'h6' }, 'News'), h(m.Button, null, 'Login'))),
  h(m.Typography, { variant: 'h1' }, 'Order'),
  h(m.TextField, { label: 'Name', required: true, helperText: 'As in the passport' }),
  h(m.TextField, { label: 'Notes', multiline: true, rows: 2 }),
  h(m.TextField, { label: 'Unit', id: 'unit', select: true, defaultValue: 'kg' }, h(m.MenuItem, { value: 'kg' }, 'kg'), h(m.MenuItem, { value: 'g' }, 'g')),
  h(m.FormControlLabel, { control: h(m.Checkbox), label: 'I agree' }),
  h(m.FormControlLabel, { control: h(m.Switch), label: 'Wifi' }),
  h(m.FormControl, null, h(m.FormLabel, { id: 'pay' }, 'Pay'), h(m.RadioGroup, { 'aria-labelledby': 'pay', defaultValue: 'a' }, h(m.FormControlLabel, { value: 'a', control: h(m.Radio), label: 'Cash' }), h(m.FormControlLabel, { value: 'b', control: h(m.Radio), label: 'Card' }))),
  h(m.FormControl, { fullWidth: true }, h(m.InputLabel, { id: 'age' }, 'Age'), h(m.Select, { labelId: 'age', label: 'Age', value: 10 }, h(m.MenuItem, { value: 10 }, 'Ten'))),
  h(m.Autocomplete, { options: ['Rome', 'Riga'], renderInput: (props) => h(m.TextField, { ...props, label: 'Town' }) }),
  h(m.Autocomplete, { multiple: true, defaultValue: ['Rome'], options: ['Rome', 'Riga'], renderInput: (props) => h(m.TextField, { ...props, label: 'Towns' }) }),
  h(m.Slider, { 'aria-label': 'Volume', defaultValue: 30 }),
  h(m.Rating, { name: 'stars', defaultValue: 2 }),
  h(m.Button, { variant: 'contained' }, 'Save'), h(m.Button, { disabled: true }, 'Off'), h(m.Button, { href: '/x' }, 'Link'), h(m.Tooltip, { title: 'Delete' }, h(m.IconButton, null, 'x')),
  h(m.ToggleButtonGroup, { value: 'b', 'aria-label': 'Style' }, h(m.ToggleButton, { value: 'b' }, 'Bold'), h(m.ToggleButton, { value: 'i', 'aria-label': 'italic' }, 'I')),
  h(m.Tabs, { value: 0, 'aria-label': 'tabs' }, h(m.Tab, { label: 'One' }), h(m.Tab, { label: 'Two' })),
  h(m.Accordion, null, h(m.AccordionSummary, { expandIcon: 'v' }, 'More'), h(m.AccordionDetails, null, 'Text')),
  h(m.Pagination, { count: 5 }), h(m.Chip, { label: 'Tag', onClick() {}, onDelete() {} }), h(m.Breadcrumbs, { 'aria-label': 'crumbs' }, h(m.Link, { href: '/' }, 'Home')),
  h(m.TablePagination, { component: 'div', count: 100, page: 1, rowsPerPage: 10, onPageChange() {} }), h(m.Stepper, { nonLinear: true }, h(m.Step, null, h(m.StepButton, null, 'First step'))),
  h(m.List, null, h(m.ListItemButton, null, h(m.ListItemText, { primary: 'Inbox', secondary: '3 new' }))),
  h(m.Alert, { onClose() {} }, 'Saved'),
);
