extension HKStateOfMind {
  /// A part of life that a feeling has to do with.
  public enum Association: Int, Hashable, Sendable {
    /// One's community.
    case community = 1

    /// What is in the news.
    case currentEvents = 2

    /// Dating.
    case dating = 3

    /// School and learning.
    case education = 4

    /// One's family.
    case family = 5

    /// Being fit.
    case fitness = 6

    /// Friends.
    case friends = 7

    /// One's health.
    case health = 8

    /// Hobbies.
    case hobbies = 9

    /// Who one is.
    case identity = 10

    /// Money.
    case money = 11

    /// One's partner.
    case partner = 12

    /// Taking care of oneself.
    case selfCare = 13

    /// Faith and spirit.
    case spirituality = 14

    /// What has to be done.
    case tasks = 15

    /// Travelling.
    case travel = 16

    /// One's work.
    case work = 17

    /// The weather.
    case weather = 18
  }
}
