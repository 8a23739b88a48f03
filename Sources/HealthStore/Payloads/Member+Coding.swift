import SampleLog

// The binary encoding of references to samples.
extension ByteWriter {
  /// Writes a member's identifier (16 bytes), its type and its sync identifier.
  mutating func member(_ member: Member) {
    fixed(member.id)
    text(member.type)
    string(member.syncIdentifier)
  }
}

extension ByteReader {
  mutating func member() -> Member? {
    guard let id = identifier(), let type = text(), let syncIdentifier = string() else {
      return nil
    }
    return Member(id: id, type: type, syncIdentifier: syncIdentifier)
  }
}
