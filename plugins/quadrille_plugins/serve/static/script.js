// What pages gain by a script; without it they do the same by whole pages (decision 066).
// It fetches addresses that a link or form of the page names, from this server alone, and keeps nothing.
'use strict';

const LONGEST_WAIT = 35000; // the server answers or gives up within 30 seconds
const RAREST = 30000; // how seldom pages that do not answer are asked
const GONE = [400, 403, 404, 410];
const HAND = '#hand a.card', CHOICES = '.choose > a, .choose summary, .choose [open] a';
// where to go on, the likeliest first
const WANTED = [CHOICES, `${HAND}:not(.refused)`, HAND, '#paid', '#answer', 'main a.button', 'h1'];
const heard = document.createElement('p');
heard.className = 'heard';
heard.setAttribute('role', 'status');
document.body.append(heard);

const main = () => document.querySelector('main');
const group = (link) => [HAND, CHOICES].find((one) => link && link.matches(one));
const all = (selector) => [...document.querySelectorAll(selector)];
const words = (found) => (found ? found.textContent.replace(/\s+/g, ' ').trim() : '');
const place = (address) => address.pathname + address.search;
let latest = 0, busy = false, shown = place(location);

// --- a page in place of another -------------------------------------------------------------------

async function fetched(address, good = [200, 422]) {
  const answer = await fetch(address, { signal: AbortSignal.timeout(LONGEST_WAIT), headers: { accept: 'text/html' } });
  if (!good.includes(answer.status)) throw Object.assign(new Error('no such page'), { status: answer.status });
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  if (!page.querySelector('main')) throw new Error('no page');
  return { page, answer };
}

function put(page, moved) {
  const before = document.activeElement, from = group(before), within = main().contains(before);
  const index = from ? all(from).indexOf(before) : -1, was = { id: before.id, text: words(before), key: card(before) };
  const open = all('main details[open]:not(.last, .offer) > summary').map(kind), hand = document.querySelector('#hand');
  const top = hand && hand.getBoundingClientRect().top, away = document.querySelector('.last:not([open])');
  main().replaceWith(document.adoptNode(page.querySelector('main')));
  document.title = page.title;
  for (const summary of all('main summary')) if (open.includes(kind(summary))) summary.parentElement.open = true;
  const last = document.querySelector('.last');
  if (away && words(away) === words(last)) last.open = false; // looked at before
  prepare();
  const now = document.querySelector('#hand');
  if (moved && (!now || now.getBoundingClientRect().bottom + window.scrollY <= window.innerHeight)) {
    window.scrollTo({ top: 0, behavior: 'instant' }); // there the whole table is in view
  } else if (hand && now) window.scrollBy({ top: now.getBoundingClientRect().top - top, behavior: 'instant' });
  if (within) focusAgain(from, moved && from === CHOICES ? 0 : index, was);
}

const kind = (summary) => words(summary).replace(/[(:].*/, '');
const card = (link) => (link.querySelector && link.querySelector('img') ? link.querySelector('img').alt : '');

// Focus stays where it was; where that is gone or was refused, it goes to the nearest that may be played.
function focusAgain(from, index, was) {
  const links = from ? all(from) : [], near = [...links.slice(index), ...links.slice(0, index).reverse()];
  const same = was.key && !document.querySelector('.refusing') && links.find((link) => card(link) === was.key);
  const named = () => all('main a, main button, main summary').find((one) => was.text && words(one) === was.text);
  const next = same || near.find((link) => !link.matches('.refused')) || (was.id && document.getElementById(was.id))
    || (!from && named()) || WANTED.map((one) => document.querySelector(one)).find(Boolean);
  if (!next.matches('a, button, input, summary')) next.tabIndex = -1;
  if (group(next)) rove(next);
  const at = next.getBoundingClientRect();
  next.focus({ preventScroll: at.top >= 0 && at.bottom <= window.innerHeight });
}

function trickNow() {
  const felt = document.querySelector('[data-trick]');
  return felt ? felt.dataset.trick : '';
}

function say(trick) {
  const at = main(), over = at.querySelector('#paid'), advice = at.querySelector('#advice');
  if (at.querySelector('[role=alert]')) heard.textContent = ''; // it is heard by itself
  else if (advice) heard.textContent = words(advice);
  else if (over) heard.textContent = `The deal is over. ${words(over.parentElement.querySelector('p'))}`;
  else {
    const number = trickNow(), won = number !== trick ? words(at.querySelector('.took')) : '';
    heard.textContent = [words(at.querySelector('.since')), won, number && `Trick ${number}.`, 'Your turn.']
      .filter((one) => one && (one !== 'Your turn.' || at.querySelector(`${HAND}, ${CHOICES}`))).join(' ');
  }
}

// --- play -----------------------------------------------------------------------------------------

async function go(address, instead, push = true) {
  const mine = ++latest, trick = trickNow();
  busy = true;
  main().setAttribute('aria-busy', 'true');
  try {
    const { page, answer } = await fetched(address);
    if (mine !== latest) return;
    if (push && answer.redirected) history.pushState(null, '', answer.url);
    shown = place(location);
    put(page, answer.redirected);
    say(trick);
    review();
  } catch {
    if (mine === latest) instead(); // as without a script: every move is an address, so asking twice plays once
  } finally {
    if (mine === latest) { busy = false; main().removeAttribute('aria-busy'); }
  }
}

const leads = (address) => address.origin === location.origin && address.pathname === location.pathname
  && address.searchParams.has('game') && !address.searchParams.has('format');

// What the dearest decision was is asked once the deal is over, or why that is not known.
async function review() {
  const told = document.querySelector('#dearest'), link = told && told.querySelector('a');
  if (!link) return;
  try {
    const { page, answer } = await fetched(link.href, [200, 400]), found = words(page.querySelector('main .strong, .problems strong'));
    if (found) told.prepend(answer.ok ? `${found} ` : `What decisions cost is not known here: ${found}. `);
  } catch { /* the link says why */ }
}

// A taken trick goes to the side of whoever took it.
function putAway(last) {
  const felt = last.querySelector('ul'), still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const shut = () => { last.open = false; last.classList.remove('going', last.dataset.to); };
  if (still || !felt) return shut();
  felt.addEventListener('transitionend', shut, { once: true });
  setTimeout(shut, 400);
  return last.classList.add('going', last.dataset.to);
}

function clicked(event) {
  const last = event.target.closest('.felt .last[open]');
  if (last) { event.preventDefault(); putAway(last); return; }
  const link = event.target.closest('a[href]');
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (link.getAttribute('href') === '#yours') {
    const first = document.querySelector(`${CHOICES}, ${HAND}[tabindex="0"]`);
    if (first) { event.preventDefault(); first.focus(); }
  } else if (main().contains(link) && leads(new URL(link.href))) {
    event.preventDefault();
    if (!busy) go(link.href, () => location.assign(link.href));
  }
}

function sent(event) {
  const form = event.target.closest('form.typed');
  if (!form) return;
  event.preventDefault();
  if (busy) return;
  const address = new URL(form.action);
  address.search = new URLSearchParams(new FormData(form));
  go(address.href, () => form.submit());
}

// Keys are heard in the hand and among the choices alone, so that they take none from the reader's own programs.
function pressed(event) {
  const here = event.target, selector = group(here);
  if (!selector || event.ctrlKey || event.metaKey || event.altKey) return;
  const links = all(selector), at = links.indexOf(here), key = event.key;
  const steps = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: -1 };
  let next = null;
  const shown = key === '?' ? document.querySelector('.keys') : key === 'g' && document.querySelector('.felt .last');
  if (shown && (key === '?' || selector === HAND)) { event.preventDefault(); shown.querySelector('summary').click(); }
  else if (key in steps) next = links.at(steps[key] % links.length);
  else if (/^\d$/.test(key)) next = links[(Number(key) + 9) % 10];
  else if (/^[a-z]$/i.test(key)) {
    const both = [...links.slice(at + 1), ...links.slice(0, at + 1)];
    next = both.find((link) => letters(link).includes(key.toUpperCase()));
  }
  if (!next) return;
  event.preventDefault();
  rove(next);
  next.focus();
}

const letters = (link) => (link.matches(HAND)
  ? link.dataset.card : words(link).charAt(0).toUpperCase());

// One stop of the Tab key in each group: the link that had the focus last.
function rove(link) {
  for (const one of all(group(link))) one.tabIndex = one === link ? 0 : -1;
}

function prepare() {
  for (const selector of [HAND, CHOICES]) if (all(selector).length) rove(all(selector)[0]);
  for (const told of all('.keys .told')) told.hidden = false;
}

// --- house rules ----------------------------------------------------------------------------------

// What was chosen is tried at once; the answer stands in place of the page, and in the address.
function chosen(event) {
  const form = event.target.closest('form[data-asks]');
  if (!form) return;
  const address = new URL(form.action);
  address.search = new URLSearchParams(new FormData(form));
  go(address.href, () => form.submit());
}

// --- studies --------------------------------------------------------------------------------------

// A study that is gone is not asked for again; while the pages do not answer, they are asked ever less often.
function follow(failed = 0) {
  const every = document.querySelector('[data-follow]');
  if (!every) return;
  setTimeout(async () => {
    let missed = 0;
    try {
      const { page } = await fetched(location.href);
      put(page);
      if (!document.querySelector('[data-follow]')) {
        heard.textContent = words(document.querySelector('#answer, main [role=status], .problems'))
          + (document.querySelector('#answer') ? `: ${words(document.querySelector('#answer').parentElement.querySelector('p'))}` : '');
      }
    } catch (wrong) {
      if (GONE.includes(wrong.status)) return location.reload(); // the server says why
      missed = failed + 1;
      const status = document.querySelector('main [role=status]');
      if (status) status.textContent = 'The pages do not answer. They are asked again.';
    }
    follow(missed);
  }, Math.min(Number(every.dataset.follow) * 1000 * 2 ** failed, RAREST));
}

// --- the ledger's form ----------------------------------------------------------------------------

// What the deal comes to is told below the form as soon as enough is filled in, and goes with every change.
function told(form) {
  let changes = 0;
  form.addEventListener('change', () => {
    const mine = ++changes, address = new URL(form.action);
    for (const one of all('main > .answer')) one.remove();
    address.search = new URLSearchParams(new FormData(form));
    setTimeout(async () => {
      if (mine !== changes) return;
      const { page } = await fetched(address.href).catch(() => ({}));
      const answer = page && page.querySelector('section.answer');
      if (mine !== changes || !page) return;
      const more = [...page.querySelectorAll('.ask fieldset')].filter((one) => !document.getElementById(one.id));
      document.getElementById('f-side').after(...more.map((one) => document.adoptNode(one))); // asked for by what was told
      if (!answer) return;
      for (const one of all('main > [role=alert], .wrong')) one.remove(); // they are mended
      form.after(document.adoptNode(answer));
      heard.textContent = words(answer.querySelector('h2'));
    }, 250);
  });
}

for (const form of all('form.ask')) told(form);
if (document.querySelector('[data-play]')) {
  document.addEventListener('click', clicked);
  document.addEventListener('submit', sent);
  document.addEventListener('keydown', pressed);
  document.addEventListener('toggle', (event) => {
    const summary = event.target.querySelector('summary');
    if (group(summary)) rove(summary);
  }, true);
  window.addEventListener('popstate', () => {
    if (place(location) !== shown) go(location.href, () => location.reload(), false);
  });
  prepare();
  review();
}
if (document.querySelector('[data-asks]')) {
  document.addEventListener('change', chosen);
  window.addEventListener('popstate', () => location.reload());
}
follow();
