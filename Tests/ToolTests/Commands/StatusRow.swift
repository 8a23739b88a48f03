/// One run of a command, and its status in each case.
///
/// STORE is a store with heart rates, BACKUP a backup, EXPORT an export, SAMPLES lines for
/// `ingest`; NEW is a directory and PAGE a file that do not exist.
struct StatusRow: Sendable, CustomStringConvertible {
  let words: [String]
  /// Where there is no store.
  var missing: Int32 = 2
  /// Of a store with a damaged block, which opening does not look at.
  var block: Int32 = 5
  /// On a file system that is mounted for reading only.
  var readOnly: Int32 = 0
  /// While another program writes.
  var writer: Int32 = 0

  var description: String { words.joined(separator: " ") }

  var name: String { words[0] }

  /// A command that reads a store.
  static func reads(_ line: String, block: Int32 = 5) -> StatusRow {
    StatusRow(words: split(line), block: block)
  }

  /// A command that changes a store.
  static func writes(_ line: String, block: Int32 = 5) -> StatusRow {
    StatusRow(words: split(line), block: block, readOnly: 2, writer: 2)
  }

  /// A command that fills a store, and makes one where there is none.
  static func fills(_ line: String) -> StatusRow {
    // It adds, and reads no block.
    StatusRow(words: split(line), missing: 0, block: 0, readOnly: 2, writer: 2)
  }

  private static func split(_ line: String) -> [String] {
    // A word in apostrophes may have spaces in it.
    line.split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap {
      index, part in
      index % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
    }
  }

  /// Every command that works on a store, in each of its ways.
  static let all: [StatusRow] =
    ["csv", "jsonl", "sql", "influx", "fhir"].map { reads("export --store STORE --format \($0)") }
    + [
      reads("export NEW --store STORE --format apple"),
      reads("query --store STORE --type heartRate"),
      reads("query --store STORE --type heartRate --latest --format json"),
      reads("query --store STORE --type heartRate --where 'quantity > \"55 count/min\"'"),
      // There is none of the type, so no block is read.
      reads("query --store STORE --type bodyMass --format csv", block: 0),
      reads("changes --store STORE"), reads("changes --store STORE --format table"),
      reads("aggregate --store STORE --type heartRate --every 1h"),
      reads("aggregate --store STORE --type heartRate --every 1h --plot"),
      reads("aggregate --store STORE --type heartRate"),
      reads("report PAGE --store STORE"), reads("report - --store STORE"),
      // These are answered from the directories of files.
      reads("subjects STORE", block: 0), reads("subjects --store STORE --format json", block: 0),
      reads("sources STORE", block: 0), reads("stats STORE", block: 0),
      reads("stats STORE --json", block: 0), reads("stats STORE --format prometheus", block: 0),
      reads("doctor STORE"), reads("verify STORE"),
      reads("delete STORE --all-types --dry-run", block: 0),
      writes("delete STORE --all-types --yes --json"),
      writes("delete STORE --all-types --where 'quantity > \"55 count/min\"' --yes"),
      reads("expire STORE --all-types --older-than 1h --dry-run", block: 0),
      writes("expire STORE --all-types --older-than 1h --json"),
      writes("expire STORE --all-types --older-than 1h --compact"),
      // Nothing is so old, so no block is read.
      writes("expire STORE --all-types --older-than 1000w", block: 0),
      reads("erase STORE --subject '' --dry-run --json", block: 0),
      writes("erase STORE --subject '' --yes"),
      reads("compact STORE --dry-run", block: 0),
      // One segment without deletions stays as it is.
      writes("compact STORE", block: 0),
      reads("backup --store STORE NEW"), reads("backup --store STORE NEW --json"),
      reads("backup --store STORE NEW --copy"), reads("restore STORE --store NEW"),
      // Nothing of the store changes, but a writer would change it meanwhile.
      StatusRow(words: split("repair --store STORE NEW"), writer: 2),
      fills("import EXPORT --store STORE"), fills("ingest SAMPLES --store STORE"),
    ]

  /// What has no store.
  static let others: [StatusRow] = [
    reads("--help"), reads("--version"), reads("stats --help"),
    reads("demo"), reads("completion bash"),
    reads("changes --store STORE --follow"), reads("man"), reads("restore BACKUP --store NEW"),
    reads("import EXPORT --store NEW"), reads("ingest SAMPLES --store NEW"),
  ]

  /// What cannot end well without a stream; ClusterTests and make cluster-test run it.
  static let replication: [StatusRow] = [
    reads("primary --store NEW"), reads("replica STORE --keep NEW"), reads("promote STORE"),
    reads("cluster STORE"),
  ]
}
