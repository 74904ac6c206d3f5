import { createWriteStream, readFileSync, statSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { pipeline } from 'node:stream/promises';
import { globSync } from 'tinyglobby';
import { ZipFile } from 'yazl';
import { buildExtension } from './build-extension.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

/** What a Marketplace asks about an extension; the rest of its manifest is VS Code's business. */
interface Manifest {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly version: string;
  readonly publisher: string;
  readonly pricing: string;
  readonly icon: string;
  readonly galleryBanner: { readonly color: string; readonly theme: string };
  readonly categories: readonly string[];
  readonly keywords: readonly string[];
  readonly engines: { readonly vscode: string };
  readonly extensionKind: readonly string[];
}

/** Every file has the same date, so that the same sources make the same file. */
const date = new Date('2026-01-01T00:00:00Z');

/** Builds the extension and packs it as VS Code installs it; returns the file. Nothing is fetched. */
export async function packageExtension(): Promise<string> {
  await buildExtension();
  const manifest = JSON.parse(readFileSync(`${root}extension/package.json`, 'utf8')) as Manifest;
  const { name, version } = manifest;
  const path = `${root}extension/dist/${name}-${version}.vsix`;
  const zip = new ZipFile();
  const options = { mtime: date, mode: 0o100644 };
  const add = (text: string, to: string) => zip.addBuffer(Buffer.from(text), to, options);
  add(vsixManifest(manifest), 'extension.vsixmanifest');
  add(contentTypes, '[Content_Types].xml');
  add(withoutDevelopment(manifest), 'extension/package.json');
  zip.addFile(`${root}LICENSE`, 'extension/LICENSE.txt', options);
  zip.addFile(`${root}extension/README.md`, 'extension/readme.md', options);
  const files = globSync(['dist/**', 'media/**', '!dist/*.vsix'], { cwd: `${root}extension` });
  for (const file of files.toSorted()) {
    zip.addFile(`${root}extension/${file}`, `extension/${file}`, options);
  }
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path));
  return path;
}

function withoutDevelopment(manifest: Manifest): string {
  return JSON.stringify({
    ...manifest,
    devDependencies: undefined,
    private: undefined,
    type: undefined,
  });
}

/** The binary of the parser is for one platform, so the package says for which. */
function vsixManifest(manifest: Manifest): string {
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
    <Identity Language="en-US" Id="${escaped(name)}" Version="${escaped(version)}" Publisher="${escaped(publisher)}" TargetPlatform="${process.platform}-${process.arch}"/>
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
  const path = await packageExtension();
  console.log(`${path}: ${(statSync(path).size / 1e6).toFixed(2)} MB`);
}
