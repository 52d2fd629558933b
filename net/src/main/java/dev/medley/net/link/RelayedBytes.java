package dev.medley.net.link;

/**
 * The bytes that a relay forwarded from one member to another, over all of their links. They are
 * counted as they travelled: greetings, and TLS where the two secure their link, included.
 *
 * @param fromRank the member that sent them
 * @param toRank the member that got them
 * @param bytes that the relay took in and gave out once each
 */
public record RelayedBytes(int fromRank, int toRank, long bytes) {}
