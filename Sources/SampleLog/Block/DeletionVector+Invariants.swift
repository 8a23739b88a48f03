extension DeletionVector {
  /// Checks that each piece is either a list or a bitmap, and that the count matches the members.
  package func checkInvariants() throws(BrokenInvariant) {
    var members = 0
    for (number, piece) in pieces.enumerated() {
      if let piece { members += try Self.checkPiece(piece, number) }
    }
    for (number, piece) in far {
      try BrokenInvariant.check(number >= Self.nearCount, "piece \(number) is not far")
      members += try Self.checkPiece(piece, number)
    }
    try BrokenInvariant.check(
      members == count, "\(members) deleted numbers are counted as \(count)")
  }

  private static func checkPiece(_ piece: Piece, _ number: Int) throws(BrokenInvariant) -> Int {
    let rising = zip(piece.few, piece.few.dropFirst()).allSatisfy { $0 < $1 }
    try BrokenInvariant.check(
      rising && piece.few.count <= fewest, "the list of piece \(number) does not rise, or is long")
    let isBitmap = piece.few.isEmpty && piece.words.count == wordsPerPiece
    try BrokenInvariant.check(
      isBitmap || piece.words.isEmpty, "piece \(number) is a list and a bitmap")
    let members = piece.few.count + piece.words.reduce(0) { $0 + $1.nonzeroBitCount }
    try BrokenInvariant.check(members > 0, "piece \(number) is empty")
    return members
  }
}
