import Foundation
package import SampleLog

extension RowReader {
  /// Returns the identifiers of the live samples that a row contains, in a snapshot's versions.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if one of them cannot be read.
  package func members(of row: Row, in snapshot: Snapshot) throws -> [UUID] {
    guard let type = type(of: row), let payload = SampleKind(of: type).payload,
      let members = payload.init(Extras(row.block.extras(at: row.row)))?.members, !members.isEmpty
    else { return [] }
    return try snapshot.rows(of: members, subject: row.subject).map(\.id.uuid)
  }
}
