/**
 * Shows VS Code and its extensions in another language, without the marketplace's language packs.
 *
 * The server takes the language from `--locale`, but only if `languagepacks.json` in the user-data
 * folder names a pack for it. Ours translates nothing of the workbench; it makes `vscode.env.language`,
 * `package.nls.zh-cn.json` and `l10n/bundle.l10n.zh-cn.json` of installed extensions take effect. So
 * extensions speak Chinese here and the workbench around them English.
 */
import fs from 'node:fs';
import path from 'node:path';

export type Locale = 'en' | 'zh-cn';

/** The server's arguments for a language, after writing its pack into the user-data folder. */
export function localeArguments(locale: Locale, userData: string): string[] {
  if (locale === 'en') return ['--locale', 'en'];
  const pack = path.join(userData, 'language-pack');
  fs.mkdirSync(pack, { recursive: true });
  const translations = path.join(pack, 'main.i18n.json');
  fs.writeFileSync(translations, JSON.stringify({ version: '1.0.0', contents: {} }));
  fs.writeFileSync(
    path.join(userData, 'languagepacks.json'),
    JSON.stringify({
      [locale]: {
        hash: 'gradpeek-e2e',
        extensions: [{ extensionIdentifier: { id: 'gradpeek-e2e.language-pack' }, version: '1.0.0' }],
        translations: { vscode: translations },
        label: locale,
      },
    }),
  );
  return ['--locale', locale];
}
