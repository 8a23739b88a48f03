/// A command line and its exit status in several situations.
///
/// The words are placeholders: STORE is a store with heart rates, BACKUP a backup, EXPORT an export
/// and SAMPLES lines for `ingest`. NEW is a directory and PAGE a file that do not exist.
struct StatusRow: Sendable, CustomStringConvertible {
  let words: [String]
  /// The status without a store.
  var missing: Int32 = 2
  /// The status for a store with a damaged block, which opening does not read.
  var block: Int32 = 5
  /// Whether ``block`` also holds if the identifiers of the block are damaged.
  var readsNoIdentifiers = true
  /// The status on a read-only file system.
  var readOnly: Int32 = 0
  /// The status while another program writes.
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

  /// A command that fills a store and makes one if none exists.
  static func fills(_ line: String) -> StatusRow {
    // Adding reads no values. One of 1,000 searches for a new sample's identifier, however, reads
    // the identifiers of a block whose fingerprint of another sample is the same by chance.
    StatusRow(
      words: split(line), missing: 0, block: 0, readsNoIdentifiers: false, readOnly: 2, writer: 2)
  }

  private static func split(_ line: String) -> [String] {
    // A word in apostrophes may contain spaces.
    line.split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap {
      index, part in
      index % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
    }
  }

  /// Every command that works on a store, with its important options.
  static let all: [StatusRow] =
    ["csv", "jsonl", "sql", "influx", "fhir"].map { reads("export --store STORE --format \($0)") }
    + [
      reads("export NEW --store STORE --format apple"),
      reads("query --store STORE --type heartRate"),
      reads("query --store STORE --type heartRate --latest --format json"),
      reads("query --store STORE --type heartRate --where 'quantity > \"55 count/min\"'"),
      // There is no sample of the type, so no block is read.
      reads("query --store STORE --type bodyMass --format csv", block: 0),
      reads("changes --store STORE"), reads("changes --store STORE --format table"),
      reads("aggregate --store STORE --type heartRate --every 1h"),
      reads("aggregate --store STORE --type heartRate --every 1h --plot"),
      reads("aggregate --store STORE --type heartRate", block: 0),
      reads("report PAGE --store STORE", block: 0), reads("report - --store STORE", block: 0),
      // These read only the indexes of segments.
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
      // No sample is old enough, so no block is read.
      writes("expire STORE --all-types --older-than 1000w", block: 0),
      reads("erase STORE --subject '' --dry-run --json", block: 0),
      writes("erase STORE --subject '' --yes"),
      reads("compact STORE --dry-run", block: 0),
      // A single segment without deletions is not rewritten.
      writes("compact STORE", block: 0),
      reads("backup --store STORE NEW"), reads("backup --store STORE NEW --json"),
      reads("backup --store STORE NEW --copy"), reads("restore STORE --store NEW"),
      // Everything is older than the backup, so no block is read.
      reads("recover BACKUP --store STORE", block: 0),
      writes("recover BACKUP --store STORE --save", block: 0),
      // The store does not change, but a concurrent writer would change it.
      StatusRow(words: split("repair --store STORE NEW"), writer: 2),
      fills("import EXPORT --store STORE"), fills("ingest SAMPLES --store STORE"),
    ]

  /// Commands without a store.
  static let others: [StatusRow] = [
    reads("--help"), reads("--version"), reads("stats --help"),
    reads("demo"), reads("completion bash"),
    reads("changes --store STORE --follow"), reads("man"), reads("restore BACKUP --store NEW"),
    reads("import EXPORT --store NEW"), reads("ingest SAMPLES --store NEW"),
  ]

  /// Commands that need a stream to succeed; ClusterTests and `make cluster-test` run them.
  static let replication: [StatusRow] = [
    reads("primary --store NEW"), reads("replica STORE --keep NEW"), reads("promote STORE"),
    reads("cluster STORE"),
  ]
}
