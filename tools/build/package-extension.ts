import { createWriteStream, readFileSync, statSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { pipeline } from 'node:stream/promises';
import { globSync } from 'tinyglobby';
import { ZipFile } from 'yazl';
import { readArguments } from '../arguments.ts';
import { buildExtension } from './build-extension.ts';
import { ownTarget, parserBinary, type Target, targets } from './parser-binary.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** What a Marketplace asks about an extension; the rest of its manifest is VS Code's business. */
interface Manifest {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly version: string;
  readonly publisher: string;
  readonly pricing: string;
  readonly qna: boolean;
  readonly icon: string;
  readonly galleryBanner: { readonly color: string; readonly theme: string };
  readonly categories: readonly string[];
  readonly keywords: readonly string[];
  readonly engines: { readonly vscode: string };
  readonly extensionKind: readonly string[];
}

/** Every file has the same date, so that the same sources make the same file. */
const date = new Date('2026-01-01T00:00:00Z');

/** Builds the extension and packs it as VS Code installs it, for this machine; returns the file. Nothing is fetched. */
export async function packageExtension(): Promise<string> {
  await buildExtension();
  return pack(ownTarget());
}

/** Packs what has been built. */
export async function pack(target: Target): Promise<string> {
  const manifest = JSON.parse(readFileSync(`${root}extension/package.json`, 'utf8')) as Manifest;
  const { name, version } = manifest;
  const path = `${root}extension/dist/${name}-${target}-${version}.vsix`;
  const zip = new ZipFile();
  const options = { mtime: date, mode: 0o100644 };
  const add = (text: string, to: string) => zip.addBuffer(Buffer.from(text), to, options);
  add(vsixManifest(manifest, target), 'extension.vsixmanifest');
  add(contentTypes, '[Content_Types].xml');
  add(withoutDevelopment(manifest), 'extension/package.json');
  for (const { from, to } of filesFor(target)) zip.addFile(from, `extension/${to}`, options);
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path));
  return path;
}

/** What lies on the disk and goes into the package, and where. */
export function filesFor(target: Target): readonly { from: string; to: string }[] {
  const own = globSync(['dist/**', 'media/**', '!dist/*.vsix', '!dist/**/@oxc-parser/**'], {
    cwd: `${root}extension`,
  });
  return [
    { from: `${root}LICENSE`, to: 'LICENSE.txt' },
    { from: `${root}extension/README.md`, to: 'readme.md' },
    { from: `${root}deadtime.schema.json`, to: 'deadtime.schema.json' },
    ...own.toSorted().map((file) => ({ from: `${root}extension/${file}`, to: file })),
    ...parserBinary(target).map(({ from, to }) => ({ from, to: `dist/server/${to}` })),
  ];
}

function withoutDevelopment(manifest: Manifest): string {
  return JSON.stringify({
    ...manifest,
    devDependencies: undefined,
    private: undefined,
    type: undefined,
  });
}

/** The binary of the parser is for one platform, so the package names it. */
function vsixManifest(manifest: Manifest, target: Target): string {
  const { name, displayName, description, version, publisher, icon, pricing } = manifest;
  const properties = {
    'Microsoft.VisualStudio.Code.Engine': manifest.engines.vscode,
    'Microsoft.VisualStudio.Code.ExtensionDependencies': '',
    'Microsoft.VisualStudio.Code.ExtensionPack': '',
    'Microsoft.VisualStudio.Code.ExtensionKind': manifest.extensionKind.join(','),
    'Microsoft.VisualStudio.Code.LocalizedLanguages': '',
    'Microsoft.VisualStudio.Code.EnabledApiProposals': '',
    'Microsoft.VisualStudio.Code.ExecutesCode': 'true',
    'Microsoft.VisualStudio.Services.Branding.Color': manifest.galleryBanner.color,
    'Microsoft.VisualStudio.Services.Branding.Theme': manifest.galleryBanner.theme,
    'Microsoft.VisualStudio.Services.GitHubFlavoredMarkdown': 'true',
    'Microsoft.VisualStudio.Services.EnableMarketplaceQnA': String(manifest.qna),
    'Microsoft.VisualStudio.Services.Content.Pricing': pricing,
  };
  const assets = {
    'Microsoft.VisualStudio.Code.Manifest': 'extension/package.json',
    'Microsoft.VisualStudio.Services.Content.Details': 'extension/readme.md',
    'Microsoft.VisualStudio.Services.Content.License': 'extension/LICENSE.txt',
    'Microsoft.VisualStudio.Services.Icons.Default': `extension/${icon}`,
  };
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011" xmlns:d="http://schemas.microsoft.com/developer/vsx-schema-design/2011">
  <Metadata>
    <Identity Language="en-US" Id="${escaped(name)}" Version="${escaped(version)}" Publisher="${escaped(publisher)}" TargetPlatform="${target}"/>
    <DisplayName>${escaped(displayName)}</DisplayName>
    <Description xml:space="preserve">${escaped(description)}</Description>
    <Tags>${escaped(manifest.keywords.join(','))}</Tags>
    <Categories>${escaped(manifest.categories.join(','))}</Categories>
    <GalleryFlags>Public</GalleryFlags>
    <Properties>
${Object.entries(properties)
  .map(([id, value]) => `      <Property Id="${id}" Value="${escaped(value)}"/>`)
  .join('\n')}
    </Properties>
    <License>extension/LICENSE.txt</License>
    <Icon>extension/${escaped(icon)}</Icon>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Dependencies/>
  <Assets>
${Object.entries(assets)
  .map(([type, at]) => `    <Asset Type="${type}" Path="${escaped(at)}" Addressable="true"/>`)
  .join('\n')}
  </Assets>
</PackageManifest>
`;
}

const contentTypes = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${[
  ['.json', 'application/json'],
  ['.vsixmanifest', 'text/xml'],
  ['.md', 'text/markdown'],
  ['.txt', 'text/plain'],
  ['.js', 'application/javascript'],
  ['.cjs', 'application/javascript'],
  ['.ts', 'text/plain'],
  ['.png', 'image/png'],
  ['.node', 'application/octet-stream'],
]
  .map(([extension, type]) => `<Default Extension="${extension}" ContentType="${type}"/>`)
  .join('')}</Types>
`;

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const known = Object.keys(targets) as Target[];
  const chosenBy = (wanted: string = ownTarget()) =>
    known.filter((it) => wanted === 'all' || wanted === it);
  const { positionals } = readArguments(
    `npm run package [-- ${known.join(' | ')} | all]`,
    {},
    (it) => chosenBy(it.positionals[0]).length > 0,
  );
  const chosen = chosenBy(positionals[0]);
  await buildExtension();
  for (const target of chosen) {
    const path = await pack(target);
    console.log(`${path}: ${(statSync(path).size / 1e6).toFixed(2)} MB`);
  }
}
