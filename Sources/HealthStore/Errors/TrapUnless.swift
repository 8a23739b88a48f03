/// Traps with a message if a condition that the programmer must ensure does not hold.
///
/// Optimised builds omit the message of `precondition`, so this uses `fatalError`.
func trapUnless(
  _ isRight: Bool, _ sentence: @autoclosure () -> String, file: StaticString = #fileID,
  line: UInt = #line
) {
  if !isRight { fatalError(sentence(), file: file, line: line) }
}
