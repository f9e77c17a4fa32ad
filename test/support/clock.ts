// Preloaded into a process, sets its clock a minute forward whenever it gets SIGUSR2.
const now = Date.now;
let offset = 0;
Date.now = () => now() + offset;
process.on('SIGUSR2', () => {
  offset += 60_000;
});
