/// What a command accepts, and what its help says.
struct CommandUsage {
  /// An option; without a value it is a flag.
  struct Option {
    /// With its dashes.
    var name: String
    /// What to call the value in the help; nil for a flag.
    var value: String?
    var help: String
    var isRequired = false
    var isRepeatable = false
    /// The words that the value is one of; empty where it is anything else.
    var choices: [String] = []
  }

  /// An argument known by its place.
  struct Argument {
    var name: String
    var help: String
    var isOptional = false
  }

  /// What is done with a store that is named by an option or by the environment.
  enum StoreUse {
    /// It may be read and added to.
    case using
    /// Something may be gone from it afterwards, so it has to be named each time.
    case destroying
    /// It is made, where there is none.
    case making
  }

  var name: String
  var summary: String
  var arguments: [Argument] = []
  /// Those of its own; a command with a store has `--store` besides.
  let options: [Option]
  let storeUse: StoreUse?
  var notes: [String] = []

  init(
    name: String, summary: String, store: StoreUse? = nil, arguments: [Argument] = [],
    options: [Option] = [], notes: [String] = []
  ) {
    self.name = name
    self.summary = summary
    self.arguments = arguments
    self.notes = notes
    storeUse = store
    guard let store else {
      self.options = options
      return
    }
    let standard = "; if absent, what \(ParsedArguments.standardStore) names"
    let alone = arguments.isEmpty ? "; DIR alone means the same" : ""
    let help =
      switch store {
      case .using: "The store's directory\(alone)\(standard)."
      case .destroying: "The store's directory\(alone); no other program may write to it."
      case .making: "The new store's directory, which does not exist or is empty\(standard)."
      }
    self.options = [Option(name: "--store", value: "DIR", help: help)] + options
  }

  /// Whether help is wanted; what follows `--` is data.
  func asksForHelp(_ arguments: [String]) -> Bool {
    arguments.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
  }

  /// The first line of the help.
  var synopsis: String {
    var words = ["healthstore", name] + arguments.map { $0.isOptional ? "[\($0.name)]" : $0.name }
    for option in options {
      let text = option.value.map { "\(option.name) \($0)" } ?? option.name
      let more = option.isRepeatable ? "..." : ""
      words.append(option.isRequired ? text + more : "[\(text)]" + more)
    }
    return words.joined(separator: " ")
  }

  /// Arguments and options, with what they mean.
  var entries: [(name: String, help: String)] {
    arguments.map { ($0.name, $0.help) }
      + options.map { ($0.name + ($0.value.map { " \($0)" } ?? ""), $0.help) }
      + [("--help", "Prints this.")]
  }

  var help: String {
    let entries = entries
    let width = entries.map(\.name.count).max() ?? 0
    var lines = Self.wrapped("Usage: " + synopsis, indent: 7)
    lines += ["", summary, ""]
    for (name, help) in entries {
      lines += Self.wrapped("  \(name.padded(to: width))  \(help)", indent: width + 4)
    }
    if !notes.isEmpty { lines.append("") }
    for note in notes { lines += Self.wrapped(note, indent: 0) }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The text in lines of at most 80 columns; all but the first are indented.
  private static func wrapped(_ text: String, indent: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    // The spaces in front of the first line are its own indentation.
    let start = text.prefix { $0 == " " }
    for word in text.dropFirst(start.count).split(separator: " ", omittingEmptySubsequences: false)
    {
      if line.isEmpty, lines.isEmpty {
        line = String(start + word)
      } else if line.count + word.count + 1 > 80 {
        lines.append(line)
        line = String(repeating: " ", count: indent) + word
      } else {
        line += " " + word
      }
    }
    return lines + [line]
  }
}

extension String {
  /// The text followed by spaces up to a width.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  /// The text preceded by spaces up to a width.
  func paddedLeft(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}
