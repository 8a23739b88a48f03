import Foundation

/// The header fields of a document in the Clinical Document Architecture.
struct CDAHeader: Hashable, Sendable {
  var title = ""
  var patientName = ""
  var authorName = ""
  var custodianName = ""

  init(title: String, patientName: String, authorName: String, custodianName: String) {
    self.title = title
    self.patientName = patientName
    self.authorName = authorName
    self.custodianName = custodianName
  }

  /// The element paths of the names, below the root.
  private static let patient = ["recordTarget", "patientRole", "patient", "name"]
  private static let author = ["author", "assignedAuthor", "assignedPerson", "name"]
  private static let custodian = [
    "custodian", "assignedCustodian", "representedCustodianOrganization", "name",
  ]

  /// Parses a document.
  ///
  /// The first occurrence of each name is used. The parts of a name are joined by spaces.
  ///
  /// - Throws: ``HKError`` with `errorInvalidArgument` if the document is not well-formed UTF-8
  ///   XML, has a document type declaration, or has a root other than `ClinicalDocument`. The user
  ///   info holds the detail under `HKDetailedCDAValidationErrorKey`.
  init(reading bytes: [UInt8]) throws {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw Self.invalid("it is not UTF-8.")
    }
    var scanner = CDAScanner(bytes)
    var path: [String] = []
    // The depth of the name element being read, and the words read so far.
    var depth: Int?
    var words: [String] = []
    do {
      while let event = try scanner.next() {
        switch event {
        case .start(let name):
          if path.isEmpty, name != "ClinicalDocument" {
            throw Self.invalid("its root is \(name), not ClinicalDocument.")
          }
          path.append(name)
          if depth == nil, field(of: path) != nil { (depth, words) = (path.count, []) }
        case .text(let text):
          if depth != nil { words += text.split { $0.isWhitespace }.map(String.init) }
        case .end:
          if depth == path.count, let field = field(of: path) {
            if self[keyPath: field].isEmpty { self[keyPath: field] = words.joined(separator: " ") }
            depth = nil
          }
          path.removeLast()
        }
      }
    } catch let failure as CDAScanner.Failure {
      throw Self.invalid("\(failure.reason), at byte \(failure.offset).")
    }
  }

  private func field(of path: [String]) -> WritableKeyPath<CDAHeader, String>? {
    switch path.dropFirst() {
    case ["title"]: \.title
    case let path where path.elementsEqual(Self.patient): \.patientName
    case let path where path.elementsEqual(Self.author): \.authorName
    case let path where path.elementsEqual(Self.custodian): \.custodianName
    default: nil
    }
  }

  private static func invalid(_ detail: String) -> HKError {
    let sentence = "The document is not a clinical one: \(detail)"
    var userInfo = HKError.userInfo(saying: sentence)
    userInfo[HKDetailedCDAValidationErrorKey] = detail
    return HKError(.errorInvalidArgument, userInfo: userInfo)
  }
}
