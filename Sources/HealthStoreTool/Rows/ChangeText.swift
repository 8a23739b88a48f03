import SampleLog

/// The text of one change to a store, or of the anchor after some changes.
struct ChangeText {
  private var kind: String?
  private var change: (row: Row, words: RowWords)?
  private var subject: String?
  private var anchor: String?

  /// The names of the CSV fields and JSON members.
  static let fields = ["kind"] + RowEncoder.fields + ["anchor"]

  /// Creates the text of a sample that was added or deleted.
  init(_ change: Change, _ words: RowWords) {
    self.change = (change.row, words)
    subject = words.subject(change.row.subject)
    kind = change.kind == .sample ? "added" : "deleted"
  }

  /// Creates the text of the erasure of a subject.
  init(erased subject: String) {
    kind = "erased"
    self.subject = subject
  }

  /// Creates the text of the anchor at which the next read continues.
  init(anchor: String) { self.anchor = anchor }

  /// The change as a JSON object, without the contents of an added sample.
  ///
  /// Members without a value are absent.
  var object: JSONObject {
    var object = JSONObject()
    if let kind { object.add("kind", kind) }
    if let (row, words) = change {
      object.add("type", words.type(of: row))
      object.add("uuid", "\(row.id)")
      object.add(ifAny: "subject", subject)
    } else if let subject {
      object.add("subject", subject)
    }
    if let anchor { object.add("anchor", anchor) }
    return object
  }

  var csvFields: [String] {
    Self.fields.map { name in
      switch name {
      case "kind": kind ?? ""
      case "uuid": change.map { "\($0.row.id)" } ?? ""
      case "type": change.map { $0.words.type(of: $0.row) } ?? ""
      case "subject": subject ?? ""
      case "anchor": anchor ?? ""
      default: ""
      }
    }
  }

  static let tableTitle = "CHANGE   TYPE                      " + RowText.tableTitle

  func tableLine() throws -> String {
    if let anchor { return "anchor   \(anchor)" }
    let front = (kind ?? "").padded(to: 9)
    guard let (row, words) = change else { return front + (subject ?? "").printable }
    let rest =
      switch row.block.kind {
      case .sample: try RowText(row, words).tableLine()
      case .deletion: "\(row.id)"
      }
    return front + words.type(of: row).printable.padded(to: 26) + rest
  }
}
