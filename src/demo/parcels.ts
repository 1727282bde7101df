/** Weights in grams and customs details of the demo products. */
type Parcel = { weight: number; hsCode: string; originCountry: string };

const parcel = (weight: number, hsCode: string, originCountry: string): Parcel => ({ weight, hsCode, originCountry });

export const PARCELS: Readonly<Record<string, Parcel>> = {
  'canvas-tote': parcel(320, '4202.92', 'IN'),
  'linen-shirt': parcel(240, '6205.90', 'PT'),
  'merino-sweater': parcel(380, '6110.11', 'IT'),
  'wool-socks': parcel(90, '6115.94', 'PT'),
  'leather-belt': parcel(210, '4203.30', 'ES'),
  'rain-jacket': parcel(520, '6201.30', 'PT'),
  'weekend-backpack': parcel(1350, '4202.92', 'VN'),
  'ceramic-mug': parcel(350, '6912.00', 'PT'),
  'stoneware-bowls': parcel(1800, '6912.00', 'PT'),
  'cutting-board': parcel(1400, '4419.90', 'US'),
  'cast-iron-skillet': parcel(2400, '7323.91', 'US'),
  'pour-over': parcel(650, '7013.49', 'JP'),
  'enamel-teapot': parcel(900, '7323.94', 'AT'),
  'chefs-knife': parcel(260, '8211.92', 'SE'),
  'beeswax-candle': parcel(280, '3406.00', 'DE'),
  'linen-cushion': parcel(700, '9404.90', 'LT'),
  'desk-lamp': parcel(2100, '9405.21', 'SE'),
  'wall-clock': parcel(850, '9105.21', 'DE'),
  'wool-blanket': parcel(1500, '6301.20', 'LT'),
  'terracotta-planter': parcel(1900, '6913.90', 'IT'),
  notebook: parcel(310, '4820.10', 'JP'),
  'fountain-pen': parcel(45, '9608.30', 'DE'),
  'sample-card': parcel(60, '5811.00', 'US'),
};
