package import SampleLog

extension Snapshot {
  /// Returns the payloads of a row's child rows of a role, in the order of their numbers.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if a child row cannot be read.
  /// - Complexity: Reads the child rows of that role of all parents with the same dates.
  package func payloads<Payload: OwnedPayload>(
    _ type: Payload.Type, ownedBy owner: Row
  ) throws -> [Payload] {
    let name = OwnedType.name(Payload.role, of: symbols.text(owner.block.type))
    guard let symbol = symbols.find(name) else { return [] }
    let rows = try rows(ownedBy: owner, of: symbol)
    return try rows.sorted { $0.value < $1.value }.map { try payload(type, of: $0) }
  }

  /// Returns the payload of a row's child row with the given role and number, or nil if there is
  /// none.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if the child row cannot be read.
  /// - Complexity: One look-up by identifier.
  func payload<Payload: OwnedPayload>(
    _ type: Payload.Type, number: UInt64, ownedBy owner: Row
  ) throws -> Payload? {
    let id = Identifier(ownedBy: owner.id, role: Payload.role, number: number)
    return try row(id).map { try payload(type, of: $0) }
  }

  /// Returns the payload of a row.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if the row has no payload of that type.
  func payload<Payload: SamplePayload>(
    _ type: Payload.Type, of row: Row
  ) throws -> Payload {
    guard let payload = Payload(try extras(of: row)) else {
      throw damaged(row, "a payload that makes no sense")
    }
    return payload
  }
}
