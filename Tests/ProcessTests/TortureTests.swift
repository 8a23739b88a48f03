import Foundation
import Testing

/// The subcommand `Prove torture`, which users run on their own disks.
@Suite struct TortureTests {
  @Test
  func `A torture run ends with its figures and can be repeated in the same directory`() throws {
    let folder = try Folder()
    let program = try Programs.prove()
    for _ in 0..<2 {
      let run = try Programs.run(
        program, ["torture", "--seed", "9", "--rounds", "2", folder.path])
      #expect(run.status == 0, "\(run.out)")
      #expect(run.out.contains("good: 2 kills"), "\(run.out)")
      #expect(run.out.contains("seed 9"), "\(run.out)")
    }
  }

  @Test func `A torture run refuses a directory with other files`() throws {
    let folder = try Folder()
    try Data("mine".utf8).write(to: URL(fileURLWithPath: folder.path + "/store"))
    let run = try Programs.run(
      try Programs.prove(), ["torture", "--rounds", "1", folder.path])
    #expect(run.status == 2)
    #expect(run.out.contains("no torture made"), "\(run.out)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["store"])
  }
}
