import DatePicker from 'react-datepicker';
import 'react-datepicker/dist/react-datepicker.css';
import Select from 'react-select';
import Creatable from 'react-select/creatable';
import { h, show } from './react.js';

const options = [{ value: 'a', label: 'Austria' }, { value: 'b', label: 'Belgium' }];
show(h('h1', null, 'Order'), h('label', { htmlFor: 'c' }, 'Country'), h(Select, { inputId: 'c', options, defaultValue: options[0] }), h(Select, { 'aria-label': 'Open', options, menuIsOpen: true }), h('div', { style: { height: '200px' } }), h(Creatable, { isMulti: true, isClearable: true, options, defaultValue: options, placeholder: 'Many' }), h(DatePicker, { inline: true, selected: new Date(2026, 2, 1), showMonthDropdown: true, onChange() {} }));
