/** Under construction. */
package dev.medley.net;
