/// Ends the process with a sentence that names a programmer's mistake.
///
/// `precondition` would do, but optimised builds leave its sentence out.
func trapUnless(
  _ isRight: Bool, _ sentence: @autoclosure () -> String, file: StaticString = #fileID,
  line: UInt = #line
) {
  if !isRight { fatalError(sentence(), file: file, line: line) }
}
