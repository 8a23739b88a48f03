/// The manual page, generated from the same declarations as `--help`.
enum ManPage {
  static var text: String {
    var lines = [
      ".TH HEALTHSTORE 1 \"\" \"healthstore \(Tool.version)\" \"User Commands\"",
      // Hyphenation would keep readers from finding words by search.
      ".nh", ".ad l",
      ".SH NAME",
      #"healthstore \- imports, queries and maintains stores of health samples"#,
      ".SH SYNOPSIS",
      ".B healthstore",
      #"\fICOMMAND\fR [\fIARGUMENTS\fR]"#,
      ".SH COMMANDS",
    ]
    for usage in Tool.commands.map({ $0.usage }) {
      lines += [".SS \(usage.name)", plain(usage.summary), ".PP", plain(usage.synopsis)]
      for (name, help) in usage.entries {
        lines += [".TP", #"\fB\#(escaped(name))\fR"#, plain(help)]
      }
      for note in usage.notes { lines += [".PP", plain(note)] }
    }
    lines.append(".SH EXIT STATUS")
    for status in ExitStatus.allCases {
      lines += [".TP", #"\fB\#(status.rawValue)\fR"#, plain(status.meaning)]
    }
    lines += [
      ".SH ENVIRONMENT", ".TP", #"\fB\#(ParsedArguments.standardStore)\fR"#,
      "The directory of the store for commands that destroy nothing, if",
      #"\fB\-\-store\fR is absent."#, ".TP", #"\fBNO_COLOR\fR"#,
      "Progress is shown as plain lines, as without a terminal.",
    ]
    for (name, help) in StreamAccess.variables {
      lines += [".TP", #"\fB\#(name)\fR"#, plain(help)]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns a text line; a leading dot or apostrophe is escaped because it begins a request.
  private static func plain(_ text: String) -> String {
    let text = escaped(text)
    return text.hasPrefix(".") || text.hasPrefix("'") ? #"\&"# + text : text
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: #"\e"#).replacing("-", with: #"\-"#)
  }
}
