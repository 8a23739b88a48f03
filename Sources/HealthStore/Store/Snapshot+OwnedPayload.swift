package import SampleLog

extension Snapshot {
  /// What a row owns in the role of a payload, in the order of its numbers.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` when it cannot be read.
  /// - Complexity: Reads the rows that owners of the same dates have in that role.
  package func payloads<Payload: OwnedPayload>(
    _ type: Payload.Type, ownedBy owner: RowReference
  ) throws -> [Payload] {
    let name = OwnedType.name(Payload.role, of: symbols.text(owner.block.type))
    guard let symbol = symbols.find(name) else { return [] }
    let rows = try rows(ownedBy: owner, of: symbol)
    return try rows.sorted { $0.value < $1.value }.map { try payload(type, of: $0) }
  }

  /// What a row owns in the role of a payload under a number; nil when there is nothing.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` when it cannot be read.
  /// - Complexity: One look-up by identifier.
  func payload<Payload: OwnedPayload>(
    _ type: Payload.Type, number: UInt64, ownedBy owner: RowReference
  ) throws -> Payload? {
    let id = Identifier(ownedBy: owner.id, role: Payload.role, number: number)
    return try row(id).map { try payload(type, of: $0) }
  }

  /// The payload of a row.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` when it has none of that type.
  func payload<Payload: SamplePayload>(
    _ type: Payload.Type, of row: RowReference
  ) throws -> Payload {
    guard let payload = Payload(try extras(of: row)) else {
      throw damaged(row, "a payload that makes no sense")
    }
    return payload
  }
}
