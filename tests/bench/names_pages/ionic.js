import '@ionic/core/css/core.css';
import { defineCustomElements } from '@ionic/core/loader';

defineCustomElements(window);
document.body.innerHTML = `<ion-app><ion-header><ion-toolbar><ion-buttons slot="start"><ion-back-button default-href="/"></ion-back-button></ion-buttons><ion-title>Order</ion-title></ion-toolbar></ion-header><ion-content>
<h1>Order</h1><ion-list><ion-item><ion-input label="Name"></ion-input></ion-item><ion-item><ion-checkbox>I agree</ion-checkbox></ion-item><ion-item><ion-toggle>Wifi</ion-toggle></ion-item><ion-item button>Row</ion-item><ion-item href="/x"><ion-label>Linked</ion-label></ion-item>
<ion-item><ion-select label="Country" value="b"><ion-select-option value="a">Austria</ion-select-option><ion-select-option value="b">Belgium</ion-select-option></ion-select></ion-item><ion-radio-group value="a"><ion-radio value="a">Cash</ion-radio><ion-radio value="b">Card</ion-radio></ion-radio-group><ion-item><ion-range label="Volume"></ion-range></ion-item><ion-item><ion-textarea label="Notes"></ion-textarea></ion-item></ion-list>
<ion-button>Save</ion-button><ion-button href="/y">Go</ion-button><ion-searchbar placeholder="Find"></ion-searchbar><ion-segment value="one"><ion-segment-button value="one"><ion-label>One</ion-label></ion-segment-button><ion-segment-button value="two">Two</ion-segment-button></ion-segment><ion-fab-button aria-label="Add">+</ion-fab-button><ion-chip>Chip</ion-chip></ion-content></ion-app>`;
