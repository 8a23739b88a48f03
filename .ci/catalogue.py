"""Makes one documentation catalogue from the pages in Docs and the symbol graphs of all modules.

    catalogue.py GRAPHS OUTPUT

The pages are those that GitHub shows. Links between them become DocC links, and the topics of
Docs/README.md become those of the landing page. Symbols are grouped by the folder that declares
them. HealthStore is shown under the name that programs import, HealthKit.
"""
import collections
import json
import pathlib
import re
import shutil
import sys

SHOWN = {"HealthStore": "HealthKit"}
LANDING = "swift-health-store"
REPOSITORY_PAGES = ["CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"]
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")


def page_name(path):
  return LANDING if path == "Docs/README.md" else pathlib.PurePath(path).stem.lower()


def slug(heading):
  """GitHub's fragment for a heading."""
  return re.sub(r"[^\w\- ]", "", heading.replace("`", "").lower()).replace(" ", "-")


def fragment(heading):
  """DocC's fragment for a heading."""
  return re.sub(r"[^\w\-]+", "", heading.replace("`", "").replace(" ", "-"))


class Pages:
  """The pages of the repository and the links between them."""

  def __init__(self, root):
    paths = sorted(root.glob("Docs/*.md")) + [root / name for name in REPOSITORY_PAGES]
    self.texts = {str(path.relative_to(root)): path.read_text() for path in paths}
    self.fragments = {
      path: {slug(one): fragment(one) for one in re.findall(r"(?m)^#+ (.+)$", text)}
      for path, text in self.texts.items()
    }

  def link(self, path, match):
    """The replacement of a link: a DocC link, or its text if the target is not in the site."""
    picture, text, target = match.groups()
    if picture:
      return f"![{text}]({pathlib.PurePath(target).name})"
    if re.match(r"\w+:", target):
      return match.group(0)
    file, _, anchor = target.partition("#")
    parts = []
    for part in (*pathlib.PurePath(path).parent.parts, *pathlib.PurePath(file).parts):
      parts = parts[:-1] if part == ".." else parts + [part]
    file = "/".join(parts) if file else path
    if file == "README.md":
      file = "Docs/README.md"
    if file not in self.texts:
      return text
    place = "#" + self.fragments[file][anchor] if anchor else ""
    return f"[{text}](doc:{page_name(file)}{place})"

  def rewritten(self, path):
    """The page for the catalogue. Listings have no links and remain unchanged."""
    def one(match):
      return self.link(path, match)
    parts = re.split(r"(?ms)(^```.*?^```$)", self.texts[path])
    return "".join(part if index % 2 else LINK.sub(one, part) for index, part in enumerate(parts))


def curated(text):
  """A page whose topics are links without titles or descriptions, as DocC requires."""
  head, mark, topics = text.partition("\n## Topics\n")
  return head + mark + re.sub(
    r"(?m)^- \[[^\]]*\]\(doc:([\w-]+)\).*(\n  .*)*$", r"- <doc:\1>", topics)


def landing(text, modules):
  """The landing page, which has the modules as the last group of its topics."""
  title, rest = text.split("\n", 1)
  overview, topics = rest.split("\n## Topics\n")
  groups = "\n".join(f"- ``/{name}``" for name in modules)
  return (f"{title}\n\n@Metadata {{\n  @TechnologyRoot\n}}\n{overview}\n## Topics\n{topics}\n"
          f"### Modules\n\n{groups}\n")


def words(folder):
  """`WorkoutSessions` as "Workout sessions"."""
  parts = re.findall(r"[A-Z][a-z]*", folder) or [folder]
  return " ".join([parts[0]] + [part.lower() for part in parts[1:]])


def hashed(identifier):
  """DocC's suffix for overloads: an FNV-1 hash of the symbol's mangled name."""
  value = 2166136261
  for byte in identifier.encode():
    value = (value * 16777619 & 0xFFFFFFFF) ^ byte
  value = value >> 24 ^ value & 0xFFFFFF
  digits = ""
  while value:
    value, digit = divmod(value, 36)
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
  return digits


class Module:
  """A module's symbol graphs."""

  def __init__(self, name, folder, root):
    self.name = SHOWN.get(name, name)
    self.source = name
    self.root = root
    self.graphs = {}
    for path in sorted(folder.glob("*.symbols.json")):
      graph = json.loads(path.read_text())
      graph["module"]["name"] = self.name
      self.graphs[path.name.replace(name, self.name, 1)] = graph

  def folder(self, symbol):
    """The folder of the module that declares a symbol."""
    parts = symbol.get("location", {}).get("uri", "").split(f"Sources/{self.source}/")
    return parts[1].split("/")[0] if len(parts) > 1 and "/" in parts[1] else ""

  def write(self, output):
    for name, graph in self.graphs.items():
      (output / name).write_text(json.dumps(graph))

  def groups(self, parent, curated):
    """Links to the members of a symbol, or of the module if it is empty, by folder."""
    symbols = [
      one for one in self.graphs[f"{self.name}.symbols.json"]["symbols"]
      if one["pathComponents"][:-1] == parent
    ]
    counts = collections.Counter(one["pathComponents"][-1] for one in symbols)
    groups = collections.defaultdict(list)
    for symbol in symbols:
      name = symbol["pathComponents"][-1]
      if counts[name] > 1:
        name += "-" + hashed(symbol["identifier"]["precise"])
      # A name with a slash in it, such as an operator's, cannot be linked to.
      if "/" not in name and name not in curated:
        groups[self.folder(symbol)].append(name)
    # Long lists of constants come last.
    order = sorted(groups, key=lambda folder: (folder == "Constants", folder))
    return {folder: sorted(groups[folder]) for folder in order}

  def page(self):
    """The module's page: the text written by hand, then a group for each folder."""
    path = self.root / f"Sources/{self.name}/{self.name}.docc/{self.name}.md"
    text = path.read_text().rstrip() if path.exists() else f"# ``{self.name}``\n\n## Topics"
    if "## Topics" not in text:
      text += "\n\n## Topics"
    curated = set(re.findall(r"- ``([^`]+)``", text))
    for folder, names in self.groups([], curated).items():
      text += f"\n\n### {words(folder) if folder else 'More'}\n\n"
      text += "\n".join(f"- ``{name}``" for name in names)
    return text + "\n"

  def extensions(self):
    """Pages for types whose members are declared in several folders."""
    for symbol in self.graphs[f"{self.name}.symbols.json"]["symbols"]:
      path = symbol["pathComponents"]
      if len(path) > 1 or symbol["kind"]["identifier"] not in ("swift.class", "swift.struct"):
        continue
      groups = self.groups(path, set())
      if len(groups) < 3:
        continue
      # The members from the type's own folder come first.
      own = self.folder(symbol)
      text = f"# ``{self.name}/{path[0]}``\n\n## Topics\n"
      for folder in sorted(groups, key=lambda one: (one != own, one)):
        text += f"\n### {words(folder) if folder else 'More'}\n\n"
        text += "\n".join(f"- ``{name}``" for name in groups[folder]) + "\n"
      yield path[0], text


def main():
  graphs, output = map(pathlib.Path, sys.argv[1:])
  root = pathlib.Path(__file__).resolve().parent.parent
  shutil.rmtree(output, ignore_errors=True)
  (output / "graphs").mkdir(parents=True)
  modules = [Module(path.name, path, root) for path in sorted(graphs.iterdir())]
  for module in modules:
    module.write(output / "graphs")
    (output / f"{module.name}.md").write_text(module.page())
    for name, text in module.extensions():
      (output / f"{module.name}-{name}.md").write_text(text)
  pages = Pages(root)
  for path in pages.texts:
    text = curated(pages.rewritten(path))
    if path == "Docs/README.md":
      text = landing(text, sorted(module.name for module in modules))
    (output / f"{page_name(path)}.md").write_text(text)
  for picture in root.glob("Docs/charts/*"):
    shutil.copy(picture, output)


main()
