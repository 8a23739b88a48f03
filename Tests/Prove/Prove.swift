import Foundation

/// The development tool that tries to break the store; each subcommand is one method.
@main enum Prove {
  private static var commands: [any Subcommand.Type] {
    [
      ImagesCommand.self, HistoriesCommand.self, ReplicasCommand.self, PowerCutsCommand.self,
      TortureCommand.self, WriterCommand.self,
    ]
  }

  static func main() {
    let words = CommandLine.arguments.dropFirst()
    guard let command = commands.first(where: { $0.name == words.first }) else {
      complain(commands.map { $0.usage }.joined(separator: "\n"))
      exit(2)
    }
    do {
      exit(try command.run(words.dropFirst()) ? 0 : 1)
    } catch let error as UsageError {
      complain("\(error.sentence)\n\(command.usage)")
    } catch {
      complain("\(command.name): \(error)")
    }
    exit(2)
  }

  /// Prints to standard error; the standard output of a writer is a protocol.
  private static func complain(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
  }
}

/// A method of testing the store.
protocol Subcommand {
  static var name: String { get }
  static var usage: String { get }

  /// Runs the test; throws if it cannot be carried out.
  ///
  /// - Returns: Whether the store kept its guarantees.
  static func run(_ words: ArraySlice<String>) throws -> Bool
}
