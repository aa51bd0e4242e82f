import 'bootstrap/dist/css/bootstrap.css';
import * as bootstrap from 'bootstrap';

document.body.innerHTML = `
<nav class="navbar navbar-expand-lg"><a class="navbar-brand" href="#">Brand <img src="x.png" alt="Logo"></a><button class="navbar-toggler" data-bs-toggle="collapse" data-bs-target="#n" aria-label="Toggle navigation"><span class="navbar-toggler-icon"></span></button>
<div class="collapse navbar-collapse" id="n"><ul class="navbar-nav"><li class="nav-item"><a class="nav-link active" aria-current="page" href="#">Home</a></li><li class="nav-item dropdown"><a class="nav-link dropdown-toggle" role="button" data-bs-toggle="dropdown" href="#">More</a><ul class="dropdown-menu"><li><a class="dropdown-item" href="#">Hidden</a></li></ul></li></ul><form role="search"><input class="form-control" type="search" placeholder="Search" aria-label="Search"><button class="btn">Go</button></form></div></nav>
<h1>Order <small class="text-muted">new</small></h1>
<form class="needs-validation"><label class="form-label" for="a">Name</label><input id="a" class="form-control" required aria-describedby="h"><div id="h" class="form-text">As in the passport</div>
<div class="form-floating"><input class="form-control" id="fl" placeholder="x"><label for="fl">Floating</label></div>
<div class="input-group"><span class="input-group-text" id="at">@</span><input class="form-control" aria-labelledby="at"><button class="btn btn-outline-secondary" type="button">Button</button></div>
<div class="form-check"><input class="form-check-input" type="checkbox" id="c"><label class="form-check-label" for="c">I agree to <a href="/terms">terms</a></label></div>
<div class="form-check form-switch"><input class="form-check-input" type="checkbox" role="switch" id="s"><label for="s">Wifi</label></div>
<div class="btn-group" role="group" aria-label="Pay"><input type="radio" class="btn-check" name="p" id="p1"><label class="btn btn-outline-primary" for="p1">Cash</label><input type="radio" class="btn-check" name="p" id="p2"><label class="btn" for="p2">Card</label></div>
<label class="form-label" for="r">Range</label><input type="range" class="form-range" id="r">
<select class="form-select" aria-label="Country"><option selected>Open this</option><option value="1">One</option></select>
<label for="up">File</label><input type="file" id="up" class="form-control"><input type="color" title="Colour"><input type="date" aria-label="Day"><input type="time" title="Hour"><input list="dl" aria-label="Town"><datalist id="dl"><option value="Rome"></datalist>
<button class="btn btn-primary" disabled><span class="spinner-border"></span><span class="visually-hidden">Loading...</span></button><input class="btn" type="submit"><input type="reset"><input type="submit" value="Send"><input type="image" alt="Picture" src="x.png"><button class="btn-close" aria-label="Close"></button></form>
<div class="accordion"><h2 class="accordion-header"><button class="accordion-button" data-bs-toggle="collapse" data-bs-target="#ac" aria-expanded="true">Item one</button></h2><div id="ac" class="collapse show">Text</div></div>
<ul class="nav nav-tabs" role="tablist"><li role="presentation"><button class="nav-link" role="tab" aria-selected="true">One</button></li><li role="presentation"><button role="tab">Two <span class="badge">4</span></button></li></ul>
<nav aria-label="Pages"><ul class="pagination"><li class="page-item"><a class="page-link" href="#" aria-label="Previous"><span aria-hidden="true">&laquo;</span></a></li><li><a class="page-link" href="#">1</a></li></ul></nav>
<table class="table"><caption>List of users</caption><thead><tr><th scope="col">#</th><th>First</th></tr></thead><tbody><tr><th scope="row">1</th><td>Mark <button>Edit</button></td></tr></tbody></table>
<button class="btn" data-bs-toggle="tooltip" title="A tooltip">i</button><button title="Only title"></button><a href="#" title="Titled"><i class="icon"></i></a>
<div class="modal" tabindex="-1" id="m" aria-labelledby="mt"><div class="modal-dialog"><div class="modal-content"><div class="modal-header"><h5 class="modal-title" id="mt">Modal title</h5><button class="btn-close" data-bs-dismiss="modal" aria-label="Close"></button></div><div class="modal-footer"><button class="btn">Save changes</button></div></div></div></div>`;
for (const one of document.querySelectorAll('[data-bs-toggle=tooltip]')) new bootstrap.Tooltip(one);
