import Testing

@testable import HealthStoreTool

@Suite struct SuggestionTests {
  @Test(arguments: [
    ("", "", 0), ("stats", "stats", 0), ("stat", "stats", 1), ("sttas", "stats", 1),
    ("Stats", "stats", 0), ("verfiy", "verify", 1), ("abc", "xyz", 3), ("", "abc", 3),
  ])
  func `Inserting, deleting, replacing or swapping a letter is a distance of one`(
    left: String, right: String, distance: Int
  ) {
    #expect(Suggestion.distance(left, right) == distance)
    #expect(Suggestion.distance(right, left) == distance)
  }

  @Test func `Only close words are suggested`() {
    let words = ["import", "export", "compact"]
    #expect(Suggestion.nearest("imprt", among: words) == "import")
    #expect(Suggestion.nearest("expotr", among: words) == "export")
    #expect(Suggestion.nearest("delete", among: words) == nil)
    #expect(Suggestion.nearest("x", among: words) == nil)
  }
}
