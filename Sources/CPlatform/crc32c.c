// CRC-32C (Castagnoli), with the instruction of the processor if it has one, otherwise by table.

#include "CPlatform.h"

#include <string.h>

// A single table suffices: it serves only machines without the instruction, and short tails.
static uint32_t table[256];

static void fill_table(void) {
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t crc = i;
    for (int bit = 0; bit < 8; bit++) crc = crc & 1 ? crc >> 1 ^ 0x82F63B78u : crc >> 1;
    table[i] = crc;
  }
}

static uint32_t portable(uint32_t crc, const unsigned char *next, size_t count) {
  while (count--) crc = table[(crc ^ *next++) & 0xFF] ^ crc >> 8;
  return crc;
}

#if defined(__x86_64__)
// The instruction has a latency of three cycles and a throughput of one per cycle, so three runs of
// bytes are summed in parallel. Appending a run of zeros changes a checksum by a linear function of
// its bits, which four tables of 256 entries compute.
enum { RUN = 512 };
static uint32_t past_run[4][256];

__attribute__((constructor)) static void fill_tables(void) {
  fill_table();
  uint32_t bits[32], twice[32];
  for (int bit = 0; bit < 32; bit++) bits[bit] = portable(1u << bit, (const unsigned char[]){0}, 1);
  for (int length = 1; length < RUN; length *= 2) {
    for (int bit = 0; bit < 32; bit++) {
      twice[bit] = 0;
      for (int one = 0; one < 32; one++)
        if (bits[bit] >> one & 1) twice[bit] ^= bits[one];
    }
    memcpy(bits, twice, sizeof bits);
  }
  for (int byte = 0; byte < 4; byte++)
    for (int value = 0; value < 256; value++)
      for (int bit = 0; bit < 8; bit++)
        if (value >> bit & 1) past_run[byte][value] ^= bits[byte * 8 + bit];
}

static inline uint64_t after_run(uint64_t crc) {
  return past_run[0][crc & 0xFF] ^ past_run[1][crc >> 8 & 0xFF] ^ past_run[2][crc >> 16 & 0xFF] ^
         past_run[3][crc >> 24 & 0xFF];
}

__attribute__((target("sse4.2"))) static uint32_t
hardware(uint32_t crc, const unsigned char *next, size_t count) {
  uint64_t wide = crc, word;
  for (; count >= 3 * RUN; count -= 3 * RUN, next += 3 * RUN) {
    uint64_t second = 0, third = 0, more, most;
    for (int place = 0; place < RUN; place += 8) {
      memcpy(&word, next + place, 8);
      memcpy(&more, next + RUN + place, 8);
      memcpy(&most, next + 2 * RUN + place, 8);
      wide = __builtin_ia32_crc32di(wide, word);
      second = __builtin_ia32_crc32di(second, more);
      third = __builtin_ia32_crc32di(third, most);
    }
    wide = after_run(after_run(wide) ^ second) ^ third;
  }
  for (; count >= 8; count -= 8, next += 8) {
    memcpy(&word, next, 8);
    wide = __builtin_ia32_crc32di(wide, word);
  }
  crc = (uint32_t)wide;
  while (count--) crc = __builtin_ia32_crc32qi(crc, *next++);
  return crc;
}
#elif defined(__aarch64__) && defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>
__attribute__((constructor)) static void fill_tables(void) { fill_table(); }

static uint32_t hardware(uint32_t crc, const unsigned char *next, size_t count) {
  uint64_t word;
  for (; count >= 8; count -= 8, next += 8) {
    memcpy(&word, next, 8);
    crc = __crc32cd(crc, word);
  }
  while (count--) crc = __crc32cb(crc, *next++);
  return crc;
}
#else
__attribute__((constructor)) static void fill_tables(void) { fill_table(); }
#endif

uint32_t cplatform_crc32c(uint32_t crc, const void *bytes, size_t count) {
  crc = ~crc;
#if defined(__x86_64__)
  crc = __builtin_cpu_supports("sse4.2") ? hardware(crc, bytes, count)
                                         : portable(crc, bytes, count);
#elif defined(__aarch64__) && defined(__ARM_FEATURE_CRC32)
  crc = hardware(crc, bytes, count);
#else
  crc = portable(crc, bytes, count);
#endif
  return ~crc;
}
