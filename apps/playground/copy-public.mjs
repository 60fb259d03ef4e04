// The last step of the build: the files that are sent as they are go beside the compiled page.
import { cpSync } from 'node:fs';

const here = (path) => new URL(path, import.meta.url);
cpSync(here('public'), here('dist/page'), { recursive: true });
