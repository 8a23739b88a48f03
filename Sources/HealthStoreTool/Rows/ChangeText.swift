import SampleLog

/// One change to a store, or the anchor after some, in the words of the command line.
struct ChangeText {
  private var kind: String?
  private var change: (row: RowReference, words: RowWords)?
  private var subject: String?
  private var anchor: String?

  /// A sample that was added or deleted.
  init(_ change: Change, _ words: RowWords) {
    self.change = (change.row, words)
    kind = change.kind == .sample ? "added" : "deleted"
  }

  /// That everything of a subject was erased.
  init(erased subject: String) {
    kind = "erased"
    self.subject = subject
  }

  /// Where to read on.
  init(anchor: String) { self.anchor = anchor }

  /// What is known of the change; members that it does not have are absent.
  func object() throws -> JSONObject {
    var object = JSONObject()
    if let kind { object.add("kind", kind) }
    if let (row, words) = change {
      switch row.block.kind {
      case .sample: object.add(membersOf: try RowText(row, words).object())
      case .deletion:
        object.add("type", words.type(of: row))
        object.add("uuid", "\(row.id)")
        object.add(ifAny: "subject", words.subject(row.block.subject))
      }
    }
    if let subject { object.add("subject", subject) }
    if let anchor { object.add("anchor", anchor) }
    return object
  }

  /// The same, in the order of `kind`, the fields of a sample and `anchor`.
  func csvFields() throws -> [String] {
    var fields = [String](repeating: "", count: RowText.fields.count)
    fields[RowText.subjectField] = subject ?? ""
    if let (row, words) = change {
      switch row.block.kind {
      case .sample: fields = try RowText(row, words).csvFields()
      case .deletion:
        fields[0] = "\(row.id)"
        fields[1] = words.type(of: row)
        fields[RowText.subjectField] = words.subject(row.block.subject)
      }
    }
    return [kind ?? ""] + fields + [anchor ?? ""]
  }

  func tableLine() throws -> String {
    if let anchor { return "anchor   \(anchor)" }
    let front = (kind ?? "").padded(to: 9)
    guard let (row, words) = change else { return front + (subject ?? "").printable }
    let rest =
      switch row.block.kind {
      case .sample: RowText(row, words).tableLine()
      case .deletion: "\(row.id)"
      }
    return front + words.type(of: row).printable.padded(to: 26) + rest
  }
}
