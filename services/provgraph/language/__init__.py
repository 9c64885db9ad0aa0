"""Words of human text, as every service reads them."""
