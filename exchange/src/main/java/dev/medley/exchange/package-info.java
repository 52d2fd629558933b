/** Under construction. */
package dev.medley.exchange;
