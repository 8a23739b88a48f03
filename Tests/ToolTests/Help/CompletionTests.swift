import Foundation
import Testing

@testable import HealthStoreTool

/// Completion and the manual page, which are generated from the same tables as `--help`.
@Suite struct CompletionTests {
  /// Bash's completions for the last word.
  private func offers(_ words: [String]) throws -> [String] {
    let list = words.map { "'\($0)'" }.joined(separator: " ")
    let run = try ToolProcess.shell(
      "source <(\"$tool\" completion bash); COMP_WORDS=(\(list)); "
        + "COMP_CWORD=\(words.count - 1); _healthstore; printf '%s\\n' \"${COMPREPLY[@]}\"")
    #expect(run.status == 0)
    #expect(run.error.isEmpty, "\(run.error)")
    return run.lines
  }

  @Test func `Bash completes commands, options, formats and types`() throws {
    #expect(try offers(["healthstore", "comp"]) == ["compact", "completion"])
    #expect(
      Set(try offers(["healthstore", ""])).isSuperset(of: Tool.commands.map { $0.usage.name }))
    #expect(try offers(["healthstore", "query", "--all-"]) == ["--all-types", "--all-subjects"])
    let formats = ["query", "--format", "js"]
    #expect(try offers(["healthstore"] + formats) == ["json", "jsonl"])
    #expect(try offers(["healthstore", "delete", "--type", "bodyMassI"]) == ["bodyMassIndex"])
    #expect(try offers(["healthstore", "aggregate", "--by", ""]) == ["source"])
  }

  @Test(arguments: Completion.allCases)
  func `Every shell knows every command and option`(shell: Completion) throws {
    let run = try ToolProcess.run(["completion", shell.rawValue])
    #expect(run.status == 0)
    for usage in Tool.commands.map({ $0.usage }) {
      #expect(run.out.contains(usage.name))
      for option in usage.options {
        let name = shell == .fish ? " -l \(option.name.dropFirst(2)) " : option.name
        #expect(run.out.contains(name), "\(usage.name) \(option.name)")
      }
    }
    // An unescaped quote within a word would end it.
    let quotes = run.out.replacing(#"'\''"#, with: "").split(separator: "\n")
      .filter { line in line.count { $0 == "'" } % 2 == 1 }
    #expect(quotes.isEmpty, "\(quotes)")
  }

  @Test func `An unsupported shell is an error that names the supported ones`() throws {
    let run = try ToolProcess.run(["completion", "csh"])
    #expect(run.status == 2)
    #expect(run.error.contains("for bash, zsh and fish, not for csh"))
  }

  @Test func `Groff formats the manual page without a warning`() throws {
    let run = try ToolProcess.shell(
      "command -v groff > /dev/null || { echo none; exit; }; "
        + "\"$tool\" man | groff -man -Tutf8 -ww -z && \"$tool\" man | groff -man -Tascii -P-cbou")
    #expect(run.status == 0)
    if run.out == "none\n" { return print("the manual page is not formatted: there is no groff") }
    #expect(run.error.isEmpty, "\(run.error)")
    let text = run.out.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for usage in Tool.commands.map({ $0.usage }) {
      #expect(text.contains("healthstore \(usage.name)"), "\(usage.name)")
      for option in usage.options { #expect(text.contains(option.name), "\(option.name)") }
    }
    for status in HealthStoreTool.ExitStatus.allCases { #expect(text.contains(status.meaning)) }
  }
}
